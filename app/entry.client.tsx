import { StrictMode, startTransition } from "react";

// Two imports, so that they run as two tasks: a single long task would keep a slow phone from
// responding to touches (measured in bench/).
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
