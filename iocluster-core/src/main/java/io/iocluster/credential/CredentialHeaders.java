package io.iocluster.credential;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.message.Header;
import java.util.List;

/** Checks the headers of a credential by the rules for the headers of an envelope that hold in every egress mode. */
final class CredentialHeaders {

    private static final EgressPolicy RULES = new EgressPolicy(EgressSettings.DEFAULTS);

    private CredentialHeaders() {}

    static boolean isValidName(String name) {
        return RULES.check("GET", List.of(new Header(name, ""))).isEmpty();
    }

    /** Stricter than for an envelope: secrets are ASCII, and a space at either end is an error. */
    static boolean isValidValue(String value) {
        return value.equals(value.strip()) && value.chars().allMatch(c -> c >= ' ' && c <= '~');
    }
}
