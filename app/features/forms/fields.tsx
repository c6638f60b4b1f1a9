import type { ReactNode } from "react";
import { type FilledFields, maxEmailLength } from "./model.ts";

type FieldProps = {
  name: string;
  label: string;
  hint?: string | undefined;
  refusal: FilledFields | undefined;
};

type ControlProps = {
  id: string;
  name: string;
  defaultValue: string | undefined;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
};

export function Field({
  name,
  label,
  hint,
  refusal,
  control,
}: FieldProps & { control(props: ControlProps): ReactNode }) {
  const error = refusal?.errors[name];
  const descriptionIds = [hint && `${name}-hint`, error && `${name}-error`]
    .filter(Boolean)
    .join(" ");
  return (
    <div>
      <label htmlFor={name} className="block font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${name}-hint`} className="mt-0.5 text-ink-soft text-sm">
          {hint}
        </p>
      )}
      {control({
        id: name,
        name,
        defaultValue: refusal?.typed[name],
        "aria-invalid": error === undefined ? undefined : true,
        "aria-describedby": descriptionIds || undefined,
      })}
      <FieldError name={name} refusal={refusal} />
    </div>
  );
}

export function FieldError({ name, refusal }: Pick<FieldProps, "name" | "refusal">) {
  const error = refusal?.errors[name];
  if (!error) return null;
  return (
    <p id={`${name}-error`} className="mt-1 font-medium text-crab">
      {error}
    </p>
  );
}

type TextProps = FieldProps & {
  type?: "text" | "email" | "url" | "date" | "time";
  required?: boolean;
  maxLength?: number;
  min?: string;
  autoComplete?: string;
};

export const TextField = ({ name, label, hint, refusal, type = "text", ...rest }: TextProps) => (
  <Field
    name={name}
    label={label}
    hint={hint}
    refusal={refusal}
    control={(props) => <input {...props} {...rest} type={type} className="field mt-1.5" />}
  />
);

export const EmailField = (props: Omit<FieldProps, "name">) => (
  <TextField name="email" type="email" maxLength={maxEmailLength} autoComplete="email" {...props} />
);

type AreaProps = FieldProps & { required?: boolean; maxLength: number; rows: number };

export const TextArea = ({ name, label, hint, refusal, ...rest }: AreaProps) => (
  <Field
    name={name}
    label={label}
    hint={hint}
    refusal={refusal}
    control={(props) => <textarea {...props} {...rest} className="field mt-1.5" />}
  />
);

type Option = { value: string; label: string };

export function SelectField({
  options,
  preset,
  ...shared
}: FieldProps & { options: Option[]; preset: string }) {
  return (
    <Field
      {...shared}
      control={({ defaultValue = preset, ...props }) => (
        <select {...props} defaultValue={defaultValue} className="field mt-1.5">
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    />
  );
}

type ConsentProps = Omit<FieldProps, "hint"> & { optional?: boolean };

/** A checkbox. Unless it is optional, the server refuses the form if it is not checked. */
export function ConsentField({ name, label, refusal, optional = false }: ConsentProps) {
  const error = refusal?.errors[name];
  return (
    <div>
      <label className="flex items-start gap-3">
        <input
          id={name}
          name={name}
          type="checkbox"
          required={!optional}
          defaultChecked={refusal?.typed[name] === "on"}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${name}-error` : undefined}
          className="size-6 shrink-0"
        />
        <span>{label}</span>
      </label>
      <FieldError name={name} refusal={refusal} />
    </div>
  );
}
