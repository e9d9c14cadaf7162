package io.iocluster.egress;

import io.iocluster.message.ErrorCode;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Judges the URLs of calls before anything is sent or looked up. A name passes here and is judged once more by each address
 * that it resolves to, in {@link CheckedAddressResolverGroup}. Immutable, but for a bounded memory of places seen; for any
 * thread.
 */
public final class EgressPolicy {

    private static final int REMEMBERED = 1_024;

    private final Set<String> schemes;
    private final Set<Integer> ports;
    private final HostPatterns denyHosts;
    private final HostPatterns allowHosts;
    private final AddressPolicy addresses;
    private final ConcurrentHashMap<String, UrlVerdict> seen = new ConcurrentHashMap<>();

    public EgressPolicy(EgressSettings settings) {
        this.schemes = Set.copyOf(settings.schemes());
        this.ports = Set.copyOf(settings.ports());
        this.denyHosts = new HostPatterns(settings.denyHosts());
        this.allowHosts = new HostPatterns(settings.allowHosts());
        this.addresses = settings.addressPolicy();
    }

    /** What the gate in front of every connection asks. */
    public AddressPolicy addresses() {
        return addresses;
    }

    /** Reads a URL and says whether it may be called. */
    public UrlVerdict judge(String url) {
        int end = UrlParser.originEnd(url);
        if (end < 0) {
            return UrlParser.notAbsolute(url);
        }
        String place = url.substring(0, end);
        UrlVerdict verdict = seen.get(place);
        if (verdict == null) {
            verdict = judgeOrigin(place);
            remember(place, verdict);
        }
        return verdict instanceof TargetUrl target ? UrlParser.withPath(target.origin(), url, end) : verdict;
    }

    private UrlVerdict judgeOrigin(String place) {
        UrlVerdict parsed = UrlParser.parseOrigin(place);
        if (parsed instanceof TargetUrl target) {
            Optional<Refusal> refusal = refusal(target.origin());
            if (refusal.isPresent()) {
                return refusal.get();
            }
        }
        return parsed;
    }

    /** Why this place may not be called, if so. */
    public Optional<Refusal> refusal(Origin origin) {
        if (!schemes.contains(origin.scheme())) {
            return refuse(ErrorCode.SCHEME_NOT_ALLOWED, "the scheme " + origin.scheme() + " is not allowed");
        }
        if (!ports.isEmpty() && !ports.contains(origin.port())) {
            return refuse(ErrorCode.PORT_NOT_ALLOWED, "the port " + origin.port() + " is not allowed");
        }
        if (denyHosts.match(origin.host()) || (!allowHosts.isEmpty() && !allowHosts.match(origin.host()))) {
            return refuse(ErrorCode.HOST_NOT_ALLOWED, "the host " + origin.host() + " is not allowed");
        }
        InetAddress literal = HostName.literal(origin.host());
        if (literal != null && !addresses.allows(literal)) {
            return refuse(ErrorCode.ADDRESS_NOT_ALLOWED, "the address " + origin.host() + " is not allowed");
        }
        return Optional.empty();
    }

    private static Optional<Refusal> refuse(ErrorCode code, String message) {
        return Optional.of(new Refusal(code, message));
    }

    /** Forgets everything rather than grow: who sends ever new places must not fill the node's memory. */
    private void remember(String place, UrlVerdict verdict) {
        if (seen.size() >= REMEMBERED) {
            seen.clear();
        }
        seen.put(place, verdict);
    }
}
