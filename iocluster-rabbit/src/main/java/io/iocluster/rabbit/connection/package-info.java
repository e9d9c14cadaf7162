/** Connects, reconnects and declares topology; inspects each message before the client library reads its body. */
package io.iocluster.rabbit.connection;
