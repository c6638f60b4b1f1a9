import { didYouMean } from "../text/nearest.ts";

/** The mistakes in a list of a file that names records of a folder by their files. */
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
            message: `names ${name}, and there is no ${folder}/${name}.md${didYouMean(name, present)}`,
          },
        ],
  );
