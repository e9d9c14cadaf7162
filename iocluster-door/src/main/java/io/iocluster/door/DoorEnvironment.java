package io.iocluster.door;

import io.iocluster.door.http.DoorPages;
import io.iocluster.door.status.DoorInfo;

/**
 * What the program that runs a door tells it.
 *
 * @param maxBranches maximum number of calls in one envelope
 * @param maxApps maximum number of apps without an entry that are counted separately
 */
public record DoorEnvironment(DoorInfo info, int maxBranches, int maxApps, DoorPages pages) {}
