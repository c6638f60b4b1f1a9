import { useState } from "react";

type Props = { title: string; text: string; address: string };

/** By the device's own way of sharing where it has one, by a copied link, or by e-mail, which needs no script. */
export function Share({ title, text, address }: Props) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      if (navigator.share) return await navigator.share({ title, text, url: address });
      await navigator.clipboard.writeText(address);
      setSaid("The link is copied.");
    } catch (error) {
      // Closing the device's own window is an answer too.
      if (error instanceof DOMException && error.name === "AbortError") return;
      setSaid(`Please copy it by hand: ${address}`);
    }
  };
  const mail = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(`${text}\n${address}`)}`;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <button type="button" className="button button-plain script-only" onClick={copy}>
          Share the link
        </button>
        <a href={mail} className="text-link inline-block py-1">
          Send by e-mail
        </a>
      </p>
      <p role="status" className="mt-2 text-ink-soft text-sm empty:hidden">
        {said}
      </p>
    </>
  );
}
