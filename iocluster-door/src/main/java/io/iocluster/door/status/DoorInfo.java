package io.iocluster.door.status;

/**
 * What does not change while a door runs.
 *
 * @param id the id of the door
 * @param version the version of the program
 * @param transport {@code local}, or the broker whose queue the door uses
 */
public record DoorInfo(String id, String version, String transport) {}
