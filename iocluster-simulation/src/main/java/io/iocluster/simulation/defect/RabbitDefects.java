package io.iocluster.simulation.defect;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.BlockedListener;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Consumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ReturnCallback;
import com.rabbitmq.client.ReturnListener;
import com.rabbitmq.client.ShutdownSignalException;
import io.iocluster.simulation.broker.DelegatingSource;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.rabbit.RabbitNode;
import io.iocluster.testkit.simulation.Disturbance;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.Settlement;
import io.iocluster.transport.Transport;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.function.UnaryOperator;

/** Defects in the use of AMQP: acknowledgements, confirms, returns and consumers. They have no effect on other brokers. */
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // Overrides calls them.
final class RabbitDefects {

    private RabbitDefects() {}

    private static void plant(Transport correct, UnaryOperator<Connection> defect) {
        if (correct instanceof RabbitNode node) {
            node.plant(defect);
        }
    }

    private static Wiring ofConnections(UnaryOperator<Connection> defect) {
        return new Wiring() {

            @Override
            public Transport transport(SimulatedProcess process, Transport correct) {
                plant(correct, defect);
                return correct;
            }
        };
    }

    private static Wiring ofChannels(UnaryOperator<Channel> defect) {
        return ofConnections(connection -> withChannels(connection, defect));
    }

    private static Connection withChannels(Connection connection, UnaryOperator<Channel> defect) {
        Connection[] proxy = new Connection[1];
        proxy[0] = Overrides.of(Connection.class, connection, new Object() {

            Channel createChannel() throws IOException {
                Channel channel = defect.apply(connection.createChannel());
                return Overrides.of(Channel.class, channel, new Object() {

                    Connection getConnection() {
                        return proxy[0];
                    }
                });
            }
        });
        return proxy[0];
    }

    private static Wiring ofConsumers(UnaryOperator<Consumer> defect) {
        return ofChannels(channel -> Overrides.of(Channel.class, channel, new Object() {

            String basicConsume(String queue, boolean autoAck, String tag, Consumer consumer) throws IOException {
                return channel.basicConsume(queue, autoAck, tag, defect.apply(consumer));
            }

            void setDefaultConsumer(Consumer consumer) {
                channel.setDefaultConsumer(defect.apply(consumer));
            }
        }));
    }

    private static Wiring ofConfirms(UnaryOperator<ConfirmListener> defect) {
        return ofChannels(channel -> Overrides.of(Channel.class, channel, new Object() {

            void addConfirmListener(ConfirmListener listener) {
                channel.addConfirmListener(defect.apply(listener));
            }
        }));
    }

    static Wiring acknowledgesOpenMessages() {
        return ofChannels(channel -> Overrides.of(Channel.class, channel, new Object() {

            void basicAck(long tag, boolean multiple) throws IOException {
                channel.basicAck(tag, true);
            }
        }));
    }

    /** A delivery of a closed channel is acknowledged by its tag on the channel that consumes now. */
    static Wiring acknowledgesOnNextChannel() {
        return new Wiring() {

            @Override
            public Transport transport(SimulatedProcess process, Transport correct) {
                Tags tags = new Tags();
                plant(correct, connection -> withChannels(connection, tags::of));
                return new DefectiveWiring(
                                source -> new DelegatingSource(source) {

                                    @Override
                                    protected boolean offer(Intake intake, Delivery delivery) {
                                        return intake.offer(tags.of(delivery));
                                    }
                                },
                                DefectiveSink::new,
                                UnaryOperator.identity(),
                                UnaryOperator.identity(),
                                Disturbance.NONE)
                        .transport(process, correct);
            }
        };
    }

    /** The tags of one node's deliveries, each with its channel. */
    private static final class Tags {

        private final IdentityHashMap<byte[], Tag> byBody = new IdentityHashMap<>();
        private Channel consuming;

        private record Tag(Channel channel, long number) {}

        Channel of(Channel channel) {
            return Overrides.of(Channel.class, channel, new Object() {

                String basicConsume(String queue, boolean autoAck, String tag, Consumer consumer) throws IOException {
                    consuming = channel;
                    return channel.basicConsume(
                            queue, autoAck, tag, Overrides.of(Consumer.class, consumer, new Object() {

                                void handleDelivery(
                                        String tag, Envelope envelope, BasicProperties properties, byte[] body)
                                        throws IOException {
                                    byBody.put(body, new Tag(channel, envelope.getDeliveryTag()));
                                    consumer.handleDelivery(tag, envelope, properties, body);
                                }
                            }));
                }
            });
        }

        Delivery of(Delivery delivery) {
            Tag tag = byBody.get(delivery.payload());
            return new DefectiveDelivery(delivery) {

                @Override
                public Settlement settlement() {
                    Settlement correct = delivery.settlement();
                    return new Settlement() {

                        @Override
                        public void acknowledge() {
                            correct.acknowledge();
                            acknowledgeAgain(tag);
                        }

                        @Override
                        public void release() {
                            correct.release();
                        }
                    };
                }
            };
        }

        private void acknowledgeAgain(Tag tag) {
            if (tag != null && tag.channel() != consuming && consuming.isOpen()) {
                try {
                    consuming.basicAck(tag.number(), false);
                } catch (IOException | ShutdownSignalException closed) {
                    // Then it has no effect.
                }
            }
        }
    }

    static Wiring forgetsRedelivered() {
        return ofConsumers(consumer -> Overrides.of(Consumer.class, consumer, new Object() {

            void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body)
                    throws IOException {
                if (!envelope.isRedeliver()) {
                    consumer.handleDelivery(tag, envelope, properties, body);
                }
            }
        }));
    }

    static Wiring ignoresCancel() {
        return ofConsumers(consumer -> Overrides.of(Consumer.class, consumer, new Object() {

            void handleCancel(String tag) {
                // The defect.
            }
        }));
    }

    static Wiring ignoresRefusals() {
        return ofConfirms(listener -> new ConfirmListener() {

            @Override
            public void handleAck(long number, boolean multiple) throws IOException {
                listener.handleAck(number, multiple);
            }

            @Override
            public void handleNack(long number, boolean multiple) throws IOException {
                listener.handleAck(number, multiple);
            }
        });
    }

    static Wiring ignoresMultipleConfirms() {
        return ofConfirms(listener -> new ConfirmListener() {

            @Override
            public void handleAck(long number, boolean multiple) throws IOException {
                listener.handleAck(number, false);
            }

            @Override
            public void handleNack(long number, boolean multiple) throws IOException {
                listener.handleNack(number, multiple);
            }
        });
    }

    static Wiring confirmsAllBefore() {
        return ofConfirms(listener -> new ConfirmListener() {

            @Override
            public void handleAck(long number, boolean multiple) throws IOException {
                listener.handleAck(number, true);
            }

            @Override
            public void handleNack(long number, boolean multiple) throws IOException {
                listener.handleNack(number, multiple);
            }
        });
    }

    static Wiring ignoresReturns() {
        return ofChannels(channel -> Overrides.of(Channel.class, channel, new Object() {

            void addReturnListener(ReturnListener listener) {
                // The defect.
            }

            ReturnListener addReturnListener(ReturnCallback callback) {
                return null;
            }
        }));
    }

    static Wiring ignoresUnblocked() {
        return ofConnections(connection -> Overrides.of(Connection.class, connection, new Object() {

            void addBlockedListener(BlockedListener listener) {
                connection.addBlockedListener(Overrides.of(BlockedListener.class, listener, new Object() {

                    void handleUnblocked() {
                        // The defect.
                    }
                }));
            }
        }));
    }

    /** What a lost channel has published counts as confirmed, so it is not published again. */
    static Wiring forgetsUnconfirmed() {
        return ofChannels(channel -> {
            long[] published = new long[1];
            return Overrides.of(Channel.class, channel, new Object() {

                void basicPublish(
                        String exchange, String key, boolean mandatory, BasicProperties properties, byte[] body)
                        throws IOException {
                    published[0]++;
                    channel.basicPublish(exchange, key, mandatory, properties, body);
                }

                void addConfirmListener(ConfirmListener listener) {
                    channel.addConfirmListener(listener);
                    channel.addShutdownListener(closed -> {
                        try {
                            listener.handleAck(published[0], true);
                        } catch (IOException impossible) {
                            throw new IllegalStateException(impossible);
                        }
                    });
                }
            });
        });
    }

    /** Messages of a classic queue are lost in a crash of the broker although they were confirmed. */
    static Wiring publishesTransient() {
        return ofChannels(channel -> Overrides.of(Channel.class, channel, new Object() {

            void basicPublish(String exchange, String key, boolean mandatory, BasicProperties properties, byte[] body)
                    throws IOException {
                channel.basicPublish(
                        exchange,
                        key,
                        mandatory,
                        properties.builder().deliveryMode(1).build(),
                        body);
            }
        }));
    }
}
