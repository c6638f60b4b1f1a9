import { type ComponentProps, lazy, Suspense } from "react";

const Embed = lazy(() => import("./embed.tsx").then(({ Embed }) => ({ default: Embed })));

/** For pages that seldom have an embed, so that only those that do load its code. */
export const RareEmbed = (props: ComponentProps<typeof Embed>) => (
  <Suspense>
    <Embed {...props} />
  </Suspense>
);
