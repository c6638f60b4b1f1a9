import { didYouMean } from "../text/nearest.ts";

/** Finds mistakes in a list of a site file that names records of a folder. */
export const checkNames = (
  file: string,
  at: string[],
  names: string[],
  folder: string,
  present: string[],
) =>
  names.flatMap((name, index) =>
    present.includes(name)
      ? []
      : [
          {
            file,
            at: [...at, index],
            field: at.join("."),
            message: `names ${name}, but there is no ${folder}/${name}.md${didYouMean(name, present)}`,
          },
        ],
  );
