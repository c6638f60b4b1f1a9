import { StrictMode, startTransition } from "react";

// Two imports, so that they run as two tasks: a single long task would keep a slow phone from
// responding to touches (measured in bench/).
const [hydrateRoot, HydratedRouter] = await Promise.all([
  import("react-dom/client").then(({ hydrateRoot }) => hydrateRoot),
  // Only what is named here becomes part of the build. The module has much more.
  import("react-router/dom").then(({ HydratedRouter }) => HydratedRouter),
]);

// Only a reader who came back from the low-data edition needs this code. The contact form in its
// iframe has the same parameter.
if (location.search.includes("edition=full")) import("./edition/stay-full.ts");

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
