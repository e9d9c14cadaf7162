package io.iocluster.door.traffic;

import io.iocluster.status.StatusField;
import java.time.Instant;

/**
 * How often an app got a problem. Immutable.
 *
 * @param code the stable code of the problem
 * @param recent how often in the last ten minutes
 * @param last when the app got it last
 */
public record ProblemStatus(
        @StatusField String code,
        @StatusField int recent,
        @StatusField Instant last) {}
