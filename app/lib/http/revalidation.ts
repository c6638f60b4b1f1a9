import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * Decides when the data of the layout is loaded again: with each page, except with a page that
 * fetches its own content. That page would have to wait for data that has not changed before it
 * could show that it is loading.
 */
export const revalidateLayout =
  (fetchesOwnContent: (path: string) => boolean) =>
  (navigation: ShouldRevalidateFunctionArgs): boolean =>
    !fetchesOwnContent(navigation.nextUrl.pathname) && revalidateUnlessFormSent(navigation);

/**
 * Does not load a page's data again after the reader sent a form. A form does not change what its
 * page shows, apart from the result of the form. Loading the data could fail, and the reader would
 * see an error although the form was stored.
 */
export const revalidateUnlessFormSent = ({
  formAction,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean => formAction === undefined && defaultShouldRevalidate;
