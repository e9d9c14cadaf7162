package io.iocluster.door;

import io.iocluster.door.http.DoorPages;
import io.iocluster.door.status.DoorInfo;
import io.iocluster.thread.Platform;

/**
 * What the program that runs a door provides.
 *
 * @param info identifies the door in its status
 * @param maxBranches maximum number of calls in one envelope
 * @param maxApps maximum number of apps without an entry in {@code door.apps} that are counted separately
 * @param pages the pages of the door that its module does not contain
 * @param platform the clocks, threads and timers of the door
 */
public record DoorEnvironment(DoorInfo info, int maxBranches, int maxApps, DoorPages pages, Platform platform) {}
