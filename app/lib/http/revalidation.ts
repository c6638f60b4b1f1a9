import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * The data of the layout is loaded again with each page, except with a page that fetches its own
 * content, which could not show that it is loading before the unchanged data has arrived.
 */
export const revalidateLayout =
  (fetchesOwnContent: (path: string) => boolean) =>
  (navigation: ShouldRevalidateFunctionArgs): boolean =>
    !fetchesOwnContent(navigation.nextUrl.pathname) && revalidateUnlessFormSent(navigation);

/**
 * A form does not change what its page shows. If the page's data were loaded again, that could
 * fail, and the reader would see an error although the form was stored.
 */
export const revalidateUnlessFormSent = ({
  formAction,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean => formAction === undefined && defaultShouldRevalidate;
