import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { StateMarks } from "./list-page.tsx";

it("a draft in a file that was never published is not called a draft again", () => {
  const html = renderToStaticMarkup(StateMarks({ state: "draft" }));
  expect(html).toBe('<span class="mark mr-1">Draft</span>');
});
