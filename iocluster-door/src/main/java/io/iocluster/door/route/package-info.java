/** The routes of the door. Each class {@code …Route} is one route. */
package io.iocluster.door.route;
