import type { RouteHandle } from "../../app/platform/route-handle.ts";
import type { ReceivedForm } from "./forms/receive-form.ts";

/** The page or file at a path, with what its route declares. */
export type Route = RouteHandle & {
  cache: "public" | "none";
  params: readonly string[];
  /** The pattern of the path, such as /news/:id. */
  pattern: string;
  /** False for files, such as feeds and images. */
  isPage: boolean;
  /** Whether the route accepts forms. */
  hasAction: boolean;
  /** The one spelling of the path, without `.data`, that readers should see. */
  canonicalPath: string;
};

/** What a handler knows about a request besides the request itself. */
export type Scope = {
  Bindings: {
    /** The id of the request in the log. */
    id: string;
    url: URL;
    /** The page or file that the request is for. Null if no route matches its path. */
    route: Route | null;
    /** The IP address of the sender. */
    ipAddress: string;
    posted?: Omit<ReceivedForm, "end">;
    /** Whether a missing page need not be rendered, because the server has one. */
    hasMissingPage?: () => boolean;
  };
};
