package io.iocluster.http.client;

import org.asynchttpclient.DefaultAsyncHttpClient;

/**
 * The HTTP client for one profile. Confined to one event loop.
 *
 * @param acceptEncoding the value to send if the call has no {@code Accept-Encoding}; null for none
 * @param proxied whether the client connects through a proxy
 */
record ProfileClient(DefaultAsyncHttpClient httpClient, String acceptEncoding, boolean proxied) {}
