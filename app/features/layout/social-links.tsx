import type { ComponentType } from "react";
import { FacebookIcon, InstagramIcon, XIcon, YouTubeIcon } from "../../ui/icons.tsx";
import type { SocialAccount } from "../brand/files.server.ts";

const networks: Record<SocialAccount["network"], { name: string; Icon: ComponentType }> = {
  facebook: { name: "Facebook", Icon: FacebookIcon },
  x: { name: "X", Icon: XIcon },
  instagram: { name: "Instagram", Icon: InstagramIcon },
  youtube: { name: "YouTube", Icon: YouTubeIcon },
};

type Props = { accounts: SocialAccount[]; className: string };

export function SocialLinks({ accounts, className }: Props) {
  if (accounts.length === 0) return null;
  return (
    <ul className={`flex flex-wrap ${className}`}>
      {accounts.map(({ network, url }) => {
        const { name, Icon } = networks[network];
        return (
          <li key={network}>
            <a
              href={url}
              className="icon-button hover:text-accent"
              target="_blank"
              rel="noopener"
              aria-label={`${name} (opens in a new tab)`}
              data-tooltip={name}
            >
              <Icon />
            </a>
          </li>
        );
      })}
    </ul>
  );
}
