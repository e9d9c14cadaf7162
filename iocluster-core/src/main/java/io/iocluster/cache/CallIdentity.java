package io.iocluster.cache;

/**
 * The app and the credential of a call.
 *
 * @param app the app's name as its message contains it, however long; null for none
 * @param credential the credential's name; null for none
 * @param credentialVersion changes whenever the settings of the credential change
 */
public record CallIdentity(String app, String credential, long credentialVersion) {}
