import { useEffect } from "react";
import { useDeviceValue } from "../hooks/use-device-value.ts";
import { Link } from "../link.tsx";
import { currentNotice } from "./notices.ts";

const noticeDurationMs = 10_000;

/** Shows the current notice. Screen readers announce it. */
export function NoticeLayer() {
  const notice = useDeviceValue(currentNotice);
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => currentNotice.write(null), noticeDurationMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div role="status" className="device-notice no-print">
      {notice && (
        <p>
          {notice.text}
          {notice.link && (
            <>
              {" "}
              <Link to={notice.link.to} onClick={() => currentNotice.write(null)}>
                {notice.link.label}
              </Link>
            </>
          )}
        </p>
      )}
    </div>
  );
}
