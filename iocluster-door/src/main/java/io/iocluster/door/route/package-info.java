/** The routes of the door: one class for each. */
package io.iocluster.door.route;
