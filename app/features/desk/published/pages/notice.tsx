type Props = {
  notice: { id: string; text: string } | null;
};

/** Doing the same twice is said twice, because each notice has its own key. */
export const Notice = ({ notice }: Props) => (
  <div role="status">
    {notice && (
      <p key={notice.id} className="callout mb-4 font-medium">
        {notice.text}
      </p>
    )}
  </div>
);
