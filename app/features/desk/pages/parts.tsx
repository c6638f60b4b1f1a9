import type { ComponentProps, ReactNode } from "react";
import { Link } from "../../../ui/link.tsx";

type PressProps = Omit<ComponentProps<"button">, "type" | "className"> & { look?: string };

/** A button that sends its form with the action to do. */
export const Press = ({ name = "action", look = "desk-button", ...props }: PressProps) => (
  <button type="submit" name={name} className={look} {...props} />
);

type BackProps = { to: string; children: ReactNode };

/** The link to the page above. */
export const BackLink = ({ to, children }: BackProps) => (
  <p>
    <Link to={to} className="desk-tap text-link">
      ← {children}
    </Link>
  </p>
);

type NoticeProps = {
  notice: { id: string; text: string } | null;
};

/** Each notice has its own key, so that screen readers announce the same text a second time. */
export const Notice = ({ notice }: NoticeProps) => (
  <div role="status">
    {notice && (
      <p key={notice.id} className="callout mb-4 font-medium">
        {notice.text}
      </p>
    )}
  </div>
);
