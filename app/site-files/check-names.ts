import { didYouMean } from "../lib/text/nearest.ts";

/** Returns a problem for each name without a record in a list, which is at the path `at`. */
export const checkNames = (
  file: string,
  at: string[],
  names: string[],
  folder: string,
  existingNames: string[],
) =>
  names.flatMap((name, index) =>
    existingNames.includes(name)
      ? []
      : [
          {
            file,
            at: [...at, index],
            field: at.join("."),
            message: `names ${name}, but there is no ${folder}/${name}.md${didYouMean(name, existingNames)}`,
          },
        ],
  );
