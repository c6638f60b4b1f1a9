import type { ShouldRevalidateFunctionArgs } from "react-router";

/**
 * For what is around every page: it is loaded again with each page, except on the way to one that
 * fetches its own content. That page would otherwise wait for what has not changed before it can
 * say that it is loading.
 */
export const revalidateLayout =
  (fetchesItself: (path: string) => boolean) =>
  (navigation: ShouldRevalidateFunctionArgs): boolean =>
    !fetchesItself(navigation.nextUrl.pathname) && revalidateUnlessFormSent(navigation);

/**
 * A form changes nothing that its page shows beside the answer. To load the page again could fail
 * when the line breaks, and the reader would see an error although the form was stored.
 */
export const revalidateUnlessFormSent = ({
  formAction,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean => formAction === undefined && defaultShouldRevalidate;
