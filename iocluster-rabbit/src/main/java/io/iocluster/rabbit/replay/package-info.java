/**
 * Reads dead letters and replays them. A replayed request waits in a separate queue until its replay is recorded. The broker then
 * moves it to the request queue in one step.
 */
package io.iocluster.rabbit.replay;
