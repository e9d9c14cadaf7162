/** Connections to a target and the exchanges on them, over HTTP/1.1 and HTTP/2. Pools, timeouts and retries are in other packages. */
package io.iocluster.http.connection;
