/**
 * Makes HTTP attempts with async-http-client. The only package that imports the library. Defaults of the client that
 * are unsafe here are disabled in {@code ProfileClients}, guarded in {@code ConnectionGuard} or bounded in {@code
 * HttpAttempt}.
 */
package io.iocluster.http.client;
