/** One connection to a target and the exchanges on it, for both versions of HTTP. Knows no pool, no timeout and no retry. */
package io.iocluster.http.connection;
