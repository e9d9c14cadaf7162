package io.iocluster.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.http.UpstreamAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Selects an upstream of one destination for each attempt: of two random ones the cheaper one, by calls in flight and recent latency. Ejects
 * upstreams that fail, up to a limit, and lets them return slowly. Thread-safe: its lock is held for a few dozen instructions, except when
 * the list changes, or an upstream is ejected or returns.
 */
public final class UpstreamBalancer {

    private static final Logger LOG = LoggerFactory.getLogger(UpstreamBalancer.class);
    private static final double USUAL_WEIGHT = 1.0 / 32;

    private final String destination;
    private final LongSupplier nanoClock;

    @GuardedBy("this")
    private final RandomGenerator random;

    @GuardedBy("this")
    private UpstreamSettings settings;

    @GuardedBy("this")
    private Map<UpstreamAddress, Upstream> upstreams = Map.of();

    /** The upstreams that get calls. */
    @GuardedBy("this")
    private List<Upstream> selectable = List.of();

    @GuardedBy("this")
    private int ejectedCount;

    /** The usual latency of a successful attempt to any upstream; 0 before the first. */
    @GuardedBy("this")
    private double usualNanos;

    /** When the next ejection ends; only valid if there is one. */
    @GuardedBy("this")
    private long nextReturn;

    /**
     * Creates a balancer without upstreams.
     *
     * @param destination the destination's name, for logs and the status
     * @param random used only under the lock of this balancer
     */
    public UpstreamBalancer(
            String destination, UpstreamSettings settings, LongSupplier nanoClock, RandomGenerator random) {
        this.destination = destination;
        this.settings = settings;
        this.nanoClock = nanoClock;
        this.random = random;
    }

    /** Applies new settings to later attempts. Does not change the upstreams. */
    public synchronized void applySettings(UpstreamSettings next) {
        settings = next;
        if (!next.healthCheck().isEnabled()) {
            upstreams.values().forEach(each -> each.health().reset());
        }
        updateSelectable();
        returnExcess();
    }

    /**
     * Replaces the upstreams. Those that stay keep their state. If there were upstreams before, the share of new ones rises slowly. Attempts
     * to removed ones continue.
     */
    public synchronized void setUpstreams(List<UpstreamAddress> addresses) {
        long now = nanoClock.getAsLong();
        Map<UpstreamAddress, Upstream> next = new LinkedHashMap<>();
        for (UpstreamAddress address : addresses) {
            Upstream known = upstreams.get(address);
            next.put(address, known != null ? known : newUpstream(address, now));
        }
        upstreams.forEach((address, upstream) -> {
            if (!next.containsKey(address)) {
                upstream.remove();
            }
        });
        upstreams = next;
        updateSelectable();
        returnExcess();
    }

    /** Spreads the first health checks over the interval, because all upstreams may be added at the same time. */
    @GuardedBy("this")
    private Upstream newUpstream(UpstreamAddress address, long now) {
        long interval = settings.healthCheck().interval().toNanos();
        return new Upstream(address, !upstreams.isEmpty(), now, now + (long) (random.nextDouble() * interval));
    }

    /**
     * Selects an upstream for an attempt that starts now. Returns null if there is none.
     *
     * @param avoided selected only if there is no other one; null for none
     */
    public synchronized UpstreamSelection select(UpstreamAddress avoided) {
        long now = nanoClock.getAsLong();
        if (ejectedCount > 0 && now - nextReturn >= 0) {
            returnDue(now);
        }
        List<Upstream> candidates = avoided == null ? selectable : without(avoided);
        if (candidates.isEmpty()) {
            return null;
        }
        Upstream selected = candidates.size() == 1 ? candidates.get(0) : selectOfTwo(candidates, now);
        selected.start(now);
        return new UpstreamSelection(this, selected, now);
    }

    @GuardedBy("this")
    private List<Upstream> without(UpstreamAddress avoided) {
        List<Upstream> others = filter(selectable, each -> !each.address().equals(avoided));
        return others.isEmpty() ? selectable : others;
    }

    @GuardedBy("this")
    private Upstream selectOfTwo(List<Upstream> candidates, long now) {
        int first = random.nextInt(candidates.size());
        int other = random.nextInt(candidates.size() - 1);
        Upstream a = candidates.get(first);
        Upstream b = candidates.get(other < first ? other : other + 1);
        Upstream winner = a.costsAtMost(b, now) ? a : b;
        double share = winner.share(now, settings.slowStart().toNanos());
        if (share >= 1 || random.nextDouble() < share) {
            return winner;
        }
        // Not simply the loser, because it may be the slowest of all.
        List<Upstream> rest = filter(candidates, each -> each != winner);
        return rest.size() == 1 ? rest.get(0) : selectOfTwo(rest, now);
    }

    /** Called once for each selection. */
    synchronized void end(Upstream upstream, UpstreamResult result, long startNanos) {
        long now = nanoClock.getAsLong();
        EjectionSettings ejection = settings.ejection();
        long elapsed = now - startNanos;
        upstream.end(result, elapsed, usualNanos, now, ejection.interval().toNanos());
        if (result == UpstreamResult.SUCCESS) {
            usualNanos = usualNanos == 0 ? elapsed : usualNanos + USUAL_WEIGHT * (elapsed - usualNanos);
        }
        if (result == UpstreamResult.FAILURE && !upstream.isEjected() && !upstream.isRemoved()) {
            ejectIfDue(upstream, ejection, now);
        }
    }

    @GuardedBy("this")
    private void ejectIfDue(Upstream upstream, EjectionSettings ejection, long now) {
        String reason = upstream.ejectionReason(ejection);
        if (reason == null || ejectedCount >= ejection.maxEjected(upstreams.size())) {
            return;
        }
        upstream.eject(reason, ejection, now);
        updateSelectable();
        LOG.warn(
                "Upstream ejected destination={} upstream={} reason={} seconds={} ejected={}/{}",
                destination,
                upstream.address(),
                reason,
                Duration.ofNanos(upstream.ejectionNanos()).toSeconds(),
                ejectedCount,
                upstreams.size());
    }

    @GuardedBy("this")
    private void returnDue(long now) {
        for (Upstream each : upstreams.values()) {
            if (each.isEjected() && now - each.ejectedUntil() >= 0) {
                endEjection(each, now);
            }
        }
        updateSelectable();
    }

    /** Ends ejections above the limit, the earliest first, because an upstream was removed or the limit was lowered. */
    @GuardedBy("this")
    private void returnExcess() {
        int excess = ejectedCount - settings.ejection().maxEjected(upstreams.size());
        if (excess <= 0) {
            return;
        }
        long now = nanoClock.getAsLong();
        List<Upstream> ejected = upstreams.values().stream()
                .filter(Upstream::isEjected)
                .sorted(Comparator.comparingLong(each -> each.ejectedUntil() - now))
                .toList();
        for (Upstream each : ejected.subList(0, excess)) {
            endEjection(each, now);
        }
        updateSelectable();
    }

    private void endEjection(Upstream upstream, long now) {
        upstream.endEjection(now);
        LOG.info("Upstream returned from its ejection destination={} upstream={}", destination, upstream.address());
    }

    /**
     * Selects those that are healthy and not ejected. If there is none, the ejected ones count, and then the unhealthy ones, because checks
     * that all fail may be wrong. Of these, selects those of the node's zone if they are enough.
     */
    @GuardedBy("this")
    private void updateSelectable() {
        long now = nanoClock.getAsLong();
        List<Upstream> all = List.copyOf(upstreams.values());
        List<Upstream> healthy = filter(all, each -> each.health().isHealthy());
        List<Upstream> candidates = healthy.isEmpty() ? all : healthy;
        List<Upstream> active = filter(candidates, each -> !each.isEjected());
        selectable = preferZone(all, active.isEmpty() ? candidates : active);
        ejectedCount = 0;
        long earliest = Long.MAX_VALUE;
        for (Upstream each : all) {
            if (each.isEjected()) {
                ejectedCount++;
                earliest = Math.min(earliest, each.ejectedUntil() - now);
            }
        }
        nextReturn = ejectedCount == 0 ? now : now + earliest;
    }

    @GuardedBy("this")
    private List<Upstream> preferZone(List<Upstream> all, List<Upstream> candidates) {
        ZoneSettings zone = settings.zone();
        Predicate<Upstream> isOwn = each -> each.address().zone().equals(zone.name());
        if (zone.name().isEmpty()) {
            return candidates;
        }
        List<Upstream> own = filter(candidates, isOwn);
        return zone.isEnough(own.size(), filter(all, isOwn).size()) ? own : candidates;
    }

    private static List<Upstream> filter(List<Upstream> upstreams, Predicate<Upstream> condition) {
        List<Upstream> filtered = new ArrayList<>(upstreams.size());
        for (Upstream each : upstreams) {
            if (condition.test(each)) {
                filtered.add(each);
            }
        }
        return filtered;
    }

    /** Returns the upstreams whose health check is due now, and schedules the next one of each. Empty if checks are disabled. */
    public synchronized List<UpstreamAddress> startDueChecks() {
        HealthCheckSettings check = settings.healthCheck();
        if (!check.isEnabled()) {
            return List.of();
        }
        long now = nanoClock.getAsLong();
        return filter(List.copyOf(upstreams.values()), each -> each.health().startIfDue(check, now)).stream()
                .map(Upstream::address)
                .toList();
    }

    /**
     * Records the result of a health check.
     *
     * @param failure why it failed; null if it passed
     */
    public synchronized void recordCheck(UpstreamAddress address, String failure) {
        HealthCheckSettings check = settings.healthCheck();
        Upstream upstream = upstreams.get(address);
        if (upstream == null || !check.isEnabled() || !upstream.health().record(failure, check)) {
            return;
        }
        if (failure == null) {
            upstream.startSlowly(nanoClock.getAsLong());
            LOG.info("Upstream is healthy again destination={} upstream={}", destination, address);
        } else {
            LOG.warn(
                    "Upstream is unhealthy and gets no calls destination={} upstream={} failedChecks={} error={}",
                    destination,
                    address,
                    check.fall(),
                    failure);
        }
        updateSelectable();
    }

    /** Returns a snapshot of each upstream, in the order of the configuration. */
    public synchronized List<UpstreamStatus> status() {
        long now = nanoClock.getAsLong();
        long slowStartNanos = settings.slowStart().toNanos();
        long allStarted = upstreams.values().stream()
                .mapToLong(each -> each.recentlyStarted(now))
                .sum();
        return upstreams.values().stream()
                .map(each -> each.status(destination, now, slowStartNanos, allStarted))
                .toList();
    }
}
