import { expect, it } from "vitest";
import { loaderDataOf } from "./loader-data.ts";

type Layout<Id, Data> = { id: Id; loaderData: Data };
type Below = Layout<string, unknown> | undefined;
type Matches = [
  Layout<"root", { name: string }>,
  Layout<"routes/layout", { menu: string[] }>,
  ...Below[],
];

const matches: Matches = [
  { id: "root", loaderData: { name: "Harborline" } },
  { id: "routes/layout", loaderData: { menu: ["News"] } },
  { id: "routes/new-layout", loaderData: null },
  undefined,
];

it("Loader data of a layout is found by its id and has its type", () => {
  const { name }: { name: string } = loaderDataOf(matches, "root");
  const { menu }: { menu: string[] } = loaderDataOf(matches, "routes/layout");
  expect([name, menu]).toEqual(["Harborline", ["News"]]);
});

it("A layout that the page is not in does not compile, and fails with its name", () => {
  // @ts-expect-error: the generated types of a page name the layouts that it is in.
  expect(() => loaderDataOf(matches, "routes/blog-layout")).toThrow('"routes/blog-layout"');
});

it("In meta the data may be missing, because it also runs for error pages", () => {
  const failed = [{ id: "root" as const, meta: [], loaderData: { name: "Harborline" } }];
  // @ts-expect-error: the data may be undefined.
  expect(loaderDataOf(failed, "root").name).toBe("Harborline");
});
