package io.iocluster.http.servers;

import io.iocluster.http.HttpResult;

/**
 * One attempt of a call and how it ended.
 *
 * @param id unique; in the query of its URL
 * @param isLast whether no further attempt of the call was made
 * @param result null if the attempt did not end
 * @param problem why a response is not complete or not the one of this attempt; null if it is
 */
record Attempt(String id, String method, boolean isLast, HttpResult result, String problem) {

    boolean isAnswered() {
        return result instanceof HttpResult.Response;
    }

    /** Returns whether the client says that the server did not process the attempt. */
    boolean isUnprocessed() {
        return result instanceof HttpResult.Failure failure
                && failure.certainty().isUnprocessed();
    }

    boolean isMaybe() {
        return result instanceof HttpResult.Failure failure
                && !failure.certainty().isUnprocessed();
    }

    int status() {
        return result instanceof HttpResult.Response response ? response.status() : 0;
    }

    @Override
    public String toString() {
        String end = result instanceof HttpResult.Response response
                ? Integer.toString(response.status())
                : String.valueOf(result);
        return method + " " + id + " " + end + (problem == null ? "" : " " + problem);
    }
}
