package io.iocluster.cache.shared;

import io.iocluster.http.HttpResult.Response;
import java.util.List;

/** A value in the shared cache. */
sealed interface SharedEntry {

    /**
     * A response.
     *
     * @param receivedMillis when its last byte arrived, in milliseconds since the epoch
     * @param delayMillis how long its attempt took
     */
    record Stored(Response response, long receivedMillis, long delayMillis) implements SharedEntry {}

    /**
     * Says which request headers select the response.
     *
     * @param names in lower case, sorted
     */
    record Varying(List<String> names) implements SharedEntry {

        public Varying {
            names = List.copyOf(names);
        }
    }
}
