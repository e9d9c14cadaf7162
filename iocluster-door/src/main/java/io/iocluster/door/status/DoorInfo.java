package io.iocluster.door.status;

import io.iocluster.status.StatusField;

/**
 * What does not change while a door runs.
 *
 * @param transport {@code local}, or the broker whose queue the door uses
 */
public record DoorInfo(
        @StatusField(name = "door", doc = "The id of the door.")
        String id,

        @StatusField String version,
        @StatusField(values = {"local", "kafka", "rabbit"}) String transport) {}
