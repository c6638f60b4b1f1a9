import { ExternalLink } from "../../../ui/external-link.tsx";
import type { HowToSpeak } from "../model.ts";

export const SpeakNote = ({ howToSpeak: { text, url } }: { howToSpeak: HowToSpeak }) => (
  <section aria-labelledby="how-to-speak" className="border-gold border-t-4 pt-3">
    <h2 id="how-to-speak" className="text-xl">
      How to speak
    </h2>
    <p className="mt-2 whitespace-pre-line">{text}</p>
    {url && (
      <p className="mt-2">
        <ExternalLink href={url} className="text-link inline-block py-1 font-semibold">
          Sign up to speak
        </ExternalLink>
      </p>
    )}
  </section>
);
