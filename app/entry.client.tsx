import { StrictMode, startTransition } from "react";

// Two imports, so that they run as two tasks: as one task they would block a slow phone for so long
// that it does not respond to touches (measured in bench/).
const [{ hydrateRoot }, { HydratedRouter }] = await Promise.all([
  import("react-dom/client"),
  import("react-router/dom"),
]);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
