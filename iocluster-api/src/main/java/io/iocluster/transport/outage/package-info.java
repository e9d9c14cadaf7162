/** How a transport waits out a broker that is away: how long, and what it says meanwhile. */
package io.iocluster.transport.outage;
