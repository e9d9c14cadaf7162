package io.iocluster.examples.attribution;

import java.time.Duration;

/**
 * Where a launch comes from.
 *
 * @param source the name of the one that had a match first; {@link #NOBODY} where none had one in time
 * @param took from the question to this
 */
record Attribution(int launch, String source, Duration took) {

    static final String NOBODY = "nobody";
}
