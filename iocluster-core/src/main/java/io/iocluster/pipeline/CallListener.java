package io.iocluster.pipeline;

import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.SentStatus;

/** Who is told how a call has ended: once, by whoever was the first to {@linkplain Call#tryEnd end} it, on any thread. */
interface CallListener {

    /** An HTTP answer came. */
    void answered(Call call, HttpResult.Response response);

    /** None came, for whatever reason. */
    void failed(Call call, ErrorCode code, String message, SentStatus sent, AttemptTiming timing);

    /** There is no result, and there will be none here: the message goes back to the broker. */
    void release(Call call);
}
