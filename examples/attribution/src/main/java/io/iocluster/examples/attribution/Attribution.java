package io.iocluster.examples.attribution;

import java.time.Duration;

/**
 * The source to which a launch is attributed.
 *
 * @param source the name of the source with the first match; {@link #NONE} if none matched in time
 * @param took time from the request to the result
 */
record Attribution(int launch, String source, Duration took) {

    static final String NONE = "none";
}
