package io.iocluster.credential;

import io.iocluster.egress.EgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.message.Header;
import java.util.List;

/** Which headers a credential may have: those that a caller could send, by the rules that hold in every egress mode. */
final class CredentialHeaders {

    private static final EgressPolicy RULES = new EgressPolicy(EgressSettings.DEFAULTS);

    private CredentialHeaders() {}

    static boolean isValidName(String name) {
        return RULES.check("GET", List.of(new Header(name, ""))).isEmpty();
    }

    /** Narrower than for a caller: what a secret is written in is ASCII, and a blank at its end is a slip. */
    static boolean isValidValue(String value) {
        return value.equals(value.strip()) && value.chars().allMatch(c -> c >= ' ' && c <= '~');
    }
}
