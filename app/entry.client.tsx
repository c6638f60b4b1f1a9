import { StrictMode, startTransition } from "react";

// Two imports, two tasks: taken as one they would keep a slow phone from answering a touch
// (measured in bench/).
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
