package io.iocluster.egress;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Judges calls before anything is sent or looked up. A name passes here and is judged once more by each address that it
 * resolves to, in {@link io.iocluster.http.dns.CheckedAddressResolverGroup}. Immutable, but for a bounded memory of places seen; for any thread.
 *
 * <p>A URL or a header that could be read in two ways is refused in every mode; the mode decides about where calls go
 * (docs/adr/0009-egress-modes-relax-destinations-only.md).
 */
public final class EgressPolicy {

    private static final int REMEMBERED = 1_024;
    /** A scheme, the longest host and a port, with room for other spellings of them. */
    private static final int LONGEST_REMEMBERED = 512;

    private final EgressMode mode;
    private final EgressViolationListener reports;
    private final ResolvedAddressCache resolvedAddresses;
    private final Set<String> schemes;
    private final Set<Integer> ports;
    private final HostPatterns denyHosts;
    private final HostPatterns allowHosts;
    private final AddressPolicy addresses;
    private final RequestRules requests;
    private final long longestUrl;
    private final ConcurrentHashMap<String, Judged> seen = new ConcurrentHashMap<>();

    /** What a place reads as, and every reason for which calls to it are forbidden. */
    private record Judged(UrlCheckResult read, List<Rejection> forbidden) {}

    /** A policy whose reports nobody hears. */
    public EgressPolicy(EgressSettings settings) {
        this(settings, EgressViolationListener.NONE);
    }

    public EgressPolicy(EgressSettings settings, EgressViolationListener reports) {
        this(settings, reports, new ResolvedAddressCache());
    }

    EgressPolicy(EgressSettings settings, EgressViolationListener reports, ResolvedAddressCache resolvedAddresses) {
        this.resolvedAddresses = resolvedAddresses;
        this.mode = settings.mode();
        this.reports = reports;
        this.schemes = Set.copyOf(settings.schemes());
        this.ports = Set.copyOf(settings.ports());
        this.denyHosts = new HostPatterns(settings.denyHosts());
        this.allowHosts = new HostPatterns(settings.allowHosts());
        this.addresses = settings.addressPolicy();
        this.requests = new RequestRules(
                settings.maxHeaders(), settings.maxHeaderBytes().bytes());
        this.longestUrl = settings.maxUrl().bytes();
    }

    /** Reads a URL and says whether it may be called. */
    public UrlCheckResult checkUrl(String url) {
        if (url.length() > longestUrl) {
            return new Rejection(ErrorCode.INVALID_URL, "the URL is longer than " + longestUrl + " characters");
        }
        int end = UrlParser.originEnd(url);
        if (end < 0) {
            return UrlParser.rejectRelative(url);
        }
        Judged place = place(url.substring(0, end));
        if (!(place.read() instanceof TargetUrl target)) {
            return place.read();
        }
        for (Rejection refusal : place.forbidden()) {
            if (mode == EgressMode.ENFORCE) {
                return refusal;
            }
            reports.onViolation(refusal, target.destination());
        }
        return UrlParser.parsePath(target.origin(), url, end);
    }

    /** Why a call with this method and these headers is not made, if so. */
    public Optional<Rejection> check(String method, List<Header> headers) {
        return requests.check(method, headers);
    }

    /** Why this place may not be called, if so. Reports nothing. */
    public Optional<Rejection> check(Origin origin) {
        return mode == EgressMode.ENFORCE ? forbidden(origin).stream().findFirst() : Optional.empty();
    }

    /** Whether this host may be dialled at all, now that it is known to have these addresses. */
    public boolean allows(String host, List<InetSocketAddress> resolved) {
        boolean allowed = isAllowed(host, resolved);
        if (allowed) {
            resolvedAddresses.put(host, resolved);
        }
        return allowed;
    }

    private boolean isAllowed(String host, List<InetSocketAddress> resolved) {
        if (mode == EgressMode.OPEN) {
            return true;
        }
        for (InetSocketAddress address : resolved) {
            if (!addresses.allows(address.getAddress())) {
                reportAddress(host, address.getPort());
                return mode == EgressMode.REPORT;
            }
        }
        return true;
    }

    /** An address that stood in the URL itself was reported with it. */
    private void reportAddress(String host, int port) {
        if (mode == EgressMode.REPORT && HostName.parseAddress(host) == null) {
            reports.onViolation(
                    new Rejection(ErrorCode.ADDRESS_NOT_ALLOWED, "an address of " + host + " is not allowed"),
                    host + ":" + port);
        }
    }

    private Judged place(String text) {
        Judged known = seen.get(text);
        if (known != null) {
            return known;
        }
        UrlCheckResult read = UrlParser.parseOrigin(text);
        boolean judged = read instanceof TargetUrl && mode != EgressMode.OPEN;
        Judged place = new Judged(read, judged ? forbidden(((TargetUrl) read).origin()) : List.of());
        remember(text, place);
        return place;
    }

    /** All of them, for who tries a policy wants to know what it would have to allow, and not one thing after the other. */
    private List<Rejection> forbidden(Origin origin) {
        List<Rejection> reasons = new ArrayList<>();
        if (!schemes.contains(origin.scheme())) {
            reasons.add(
                    new Rejection(ErrorCode.SCHEME_NOT_ALLOWED, "the scheme " + origin.scheme() + " is not allowed"));
        }
        if (!ports.isEmpty() && !ports.contains(origin.port())) {
            reasons.add(new Rejection(ErrorCode.PORT_NOT_ALLOWED, "the port " + origin.port() + " is not allowed"));
        }
        if (denyHosts.matches(origin.host()) || (!allowHosts.isEmpty() && !allowHosts.matches(origin.host()))) {
            reasons.add(new Rejection(ErrorCode.HOST_NOT_ALLOWED, "the host " + origin.host() + " is not allowed"));
        }
        InetAddress literal = HostName.parseAddress(origin.host());
        if (literal != null && !addresses.allows(literal)) {
            reasons.add(
                    new Rejection(ErrorCode.ADDRESS_NOT_ALLOWED, "the address " + origin.host() + " is not allowed"));
        }
        return List.copyOf(reasons);
    }

    /** Forgets everything rather than grow: who sends ever new places must not fill the node's memory. */
    private void remember(String text, Judged place) {
        if (text.length() > LONGEST_REMEMBERED) {
            return;
        }
        if (seen.size() >= REMEMBERED) {
            seen.clear();
        }
        seen.put(text, place);
    }
}
