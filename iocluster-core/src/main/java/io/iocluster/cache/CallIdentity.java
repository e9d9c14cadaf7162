package io.iocluster.cache;

import java.util.Objects;

/**
 * The app and the credential of a call.
 *
 * @param app the app's name as its message contains it, however long; null for none
 * @param credential the credential's name; null for none
 * @param credentialVersion changes whenever the settings of the credential change
 */
public record CallIdentity(String app, String credential, long credentialVersion) {

    /** Returns whether both have the same credential in the same version, or none. */
    boolean hasSameCredential(CallIdentity other) {
        return Objects.equals(credential, other.credential) && credentialVersion == other.credentialVersion;
    }
}
