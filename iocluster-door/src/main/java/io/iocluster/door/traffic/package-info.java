/** What each app does at the door: its calls, and the problems that it got instead of answers. */
package io.iocluster.door.traffic;
