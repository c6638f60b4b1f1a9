import { didYouMean } from "../lib/text/nearest.ts";

/**
 * Checks a list of names of records in a site file. Returns a problem for each name without a
 * record. `at` is the path of the list in the file.
 */
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
