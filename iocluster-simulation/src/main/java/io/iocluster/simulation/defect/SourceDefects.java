package io.iocluster.simulation.defect;

import io.iocluster.simulation.broker.DelegatingSource;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.Settlement;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Defects of a source: how it offers messages, and how it settles them. */
final class SourceDefects {

    private static final Settlement NONE = settlement(() -> {}, () -> {});

    private SourceDefects() {}

    private static Settlement settlement(Runnable acknowledge, Runnable release) {
        return new Settlement() {

            @Override
            public void acknowledge() {
                acknowledge.run();
            }

            @Override
            public void release() {
                release.run();
            }
        };
    }

    private static Wiring settling(UnaryOperator<Settlement> defect) {
        return offering(delivery -> new DefectiveDelivery(delivery) {

            private final Settlement defective = defect.apply(delivery.settlement());

            @Override
            public Settlement settlement() {
                return defective;
            }
        });
    }

    private static Wiring offering(UnaryOperator<Delivery> defect) {
        return DefectiveWiring.ofSource(source -> new DelegatingSource(source) {

            @Override
            protected boolean offer(Intake intake, Delivery delivery) {
                return intake.offer(defect.apply(delivery));
            }
        });
    }

    static Wiring settlesWhenRead() {
        return DefectiveWiring.ofSource(source -> new DelegatingSource(source) {

            @Override
            protected boolean offer(Intake intake, Delivery delivery) {
                boolean accepted = intake.offer(new DefectiveDelivery(delivery) {

                    @Override
                    public Settlement settlement() {
                        return NONE;
                    }
                });
                if (accepted) {
                    delivery.settlement().acknowledge();
                }
                return accepted;
            }
        });
    }

    static Wiring acknowledgesReleased() {
        return settling(correct -> settlement(correct::acknowledge, correct::acknowledge));
    }

    static Wiring forgetsAcknowledgements(Every some) {
        return settling(correct -> settlement(
                () -> {
                    if (!some.next()) {
                        correct.acknowledge();
                    }
                },
                correct::release));
    }

    static Wiring settlesTwice(Every some) {
        return settling(correct -> settlement(
                () -> {
                    correct.acknowledge();
                    if (some.next()) {
                        correct.acknowledge();
                    }
                },
                correct::release));
    }

    static Wiring releasesAnswered(Every some) {
        return settling(correct -> settlement(
                () -> {
                    if (some.next()) {
                        correct.release();
                    } else {
                        correct.acknowledge();
                    }
                },
                correct::release));
    }

    static Wiring dropsMessages(Every some) {
        return DefectiveWiring.ofSource(source -> new DelegatingSource(source) {

            @Override
            protected boolean offer(Intake intake, Delivery delivery) {
                if (some.next()) {
                    delivery.settlement().acknowledge();
                    return true;
                }
                return intake.offer(delivery);
            }
        });
    }

    static Wiring offersTwice(Every some) {
        return DefectiveWiring.ofSource(source -> new DelegatingSource(source) {

            @Override
            protected boolean offer(Intake intake, Delivery delivery) {
                boolean accepted = intake.offer(delivery);
                if (accepted && some.next()) {
                    intake.offer(delivery);
                }
                return accepted;
            }
        });
    }

    static Wiring forgetsRefused() {
        return DefectiveWiring.ofSource(source -> new DelegatingSource(source) {

            @Override
            protected boolean offer(Intake intake, Delivery delivery) {
                intake.offer(delivery);
                return true;
            }
        });
    }

    static Wiring ignoresCapacity() {
        return DefectiveWiring.ofSource(source -> new DelegatingSource(source) {

            @Override
            public void capacityAvailable() {}
        });
    }

    static Wiring losesCapacity(Every some) {
        return DefectiveWiring.ofSource(source -> new DelegatingSource(source) {

            @Override
            public void capacityAvailable() {
                if (!some.next()) {
                    super.capacityAvailable();
                }
            }
        });
    }

    static Wiring losesPauses(Every some) {
        return DefectiveWiring.ofSource(source -> new DelegatingSource(source) {

            @Override
            public void pause() {
                if (!some.next()) {
                    super.pause();
                }
            }
        });
    }

    static Wiring settlesAnother(Every some) {
        Settlement[] before = new Settlement[1];
        return settling(correct -> settlement(
                () -> {
                    Settlement settled = before[0] != null && some.next() ? before[0] : correct;
                    before[0] = correct;
                    settled.acknowledge();
                },
                correct::release));
    }

    static Wiring ignoresPause() {
        return DefectiveWiring.ofSource(source -> new DelegatingSource(source) {

            @Override
            public void pause() {}
        });
    }

    static Wiring ignoresResume() {
        return DefectiveWiring.ofSource(source -> new DelegatingSource(source) {

            @Override
            public void resume() {}
        });
    }

    static Wiring readsDuringDrain() {
        return DefectiveWiring.ofSource(source -> new DelegatingSource(source) {

            @Override
            public CompletionStage<Void> stopIntake() {
                return CompletableFuture.completedFuture(null);
            }
        });
    }

    static Wiring forgetsApp() {
        return offering(delivery -> new DefectiveDelivery(delivery) {

            @Override
            public String header(String name) {
                return name.equals("app") ? null : super.header(name);
            }
        });
    }

    static Wiring agesMessages(long millis) {
        return offering(delivery -> new DefectiveDelivery(delivery) {

            @Override
            public long timestampMillis() {
                return super.timestampMillis() - millis;
            }
        });
    }

    static Wiring forgetsTimestamps() {
        return offering(delivery -> new DefectiveDelivery(delivery) {

            @Override
            public long timestampMillis() {
                return -1;
            }
        });
    }

    static Wiring forgetsDelayedState() {
        return offering(delivery -> new DefectiveDelivery(delivery) {

            @Override
            public boolean isDelayedRetry() {
                return false;
            }
        });
    }

    static Wiring changesEnvelopes(String from, String to) {
        return offering(delivery -> new DefectiveDelivery(delivery) {

            @Override
            public byte[] payload() {
                return new String(super.payload(), StandardCharsets.UTF_8)
                        .replaceAll(from, to)
                        .getBytes(StandardCharsets.UTF_8);
            }
        });
    }
}
