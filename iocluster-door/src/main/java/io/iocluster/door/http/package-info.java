/** Requests and responses of the door, and its errors in the format of RFC 9457. */
package io.iocluster.door.http;
