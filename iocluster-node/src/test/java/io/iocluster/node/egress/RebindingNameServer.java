package io.iocluster.node.egress;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.handler.codec.dns.DatagramDnsQuery;
import io.netty.handler.codec.dns.DatagramDnsQueryDecoder;
import io.netty.handler.codec.dns.DatagramDnsResponse;
import io.netty.handler.codec.dns.DatagramDnsResponseEncoder;
import io.netty.handler.codec.dns.DefaultDnsRawRecord;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A name server that gives the next answer from a list for each query of a name, and repeats
 * the last one. The TTL is 0. It does not respond for a name without answers. Runs one thread, which owns it.
 */
final class RebindingNameServer implements AutoCloseable {

    private final Map<String, List<List<String>>> names;
    private final Map<String, Integer> asked = new HashMap<>();
    private final MultiThreadIoEventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("name-server", true), NioIoHandler.newFactory());
    private final Channel channel;

    /** @param names the answers by name. The first query of an address family gets the first list of addresses, and so on */
    RebindingNameServer(Map<String, List<List<String>>> names) {
        this.names = Map.copyOf(names);
        this.channel = new Bootstrap()
                .group(loop)
                .channel(NioDatagramChannel.class)
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel opened) {
                        opened.pipeline()
                                .addLast(new DatagramDnsQueryDecoder())
                                .addLast(new DatagramDnsResponseEncoder())
                                .addLast(new Answering());
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
    }

    /** Returns {@code address:port}. */
    String address() {
        return "127.0.0.1:" + ((InetSocketAddress) channel.localAddress()).getPort();
    }

    private final class Answering extends SimpleChannelInboundHandler<DatagramDnsQuery> {

        @Override
        protected void channelRead0(ChannelHandlerContext ctx, DatagramDnsQuery query) {
            DnsQuestion question = query.recordAt(DnsSection.QUESTION);
            String name = question.name().substring(0, question.name().length() - 1);
            List<List<String>> answers = names.get(name);
            if (answers != null && answers.isEmpty()) {
                return;
            }
            DatagramDnsResponse response = new DatagramDnsResponse(query.recipient(), query.sender(), query.id());
            response.addRecord(DnsSection.QUESTION, question);
            if (answers == null) {
                response.setCode(DnsResponseCode.NXDOMAIN);
            } else {
                next(name, question.type(), answers).stream()
                        .map(NetUtil::createByteArrayFromIpAddressString)
                        .filter(bytes ->
                                question.type().equals(bytes.length == 4 ? DnsRecordType.A : DnsRecordType.AAAA))
                        .forEach(bytes -> response.addRecord(
                                DnsSection.ANSWER,
                                new DefaultDnsRawRecord(
                                        question.name(), question.type(), 0, Unpooled.wrappedBuffer(bytes))));
            }
            ctx.writeAndFlush(response);
        }
    }

    private List<String> next(String name, DnsRecordType type, List<List<String>> answers) {
        int before = asked.merge(name + " " + type.name(), 1, Integer::sum) - 1;
        return answers.get(Math.min(before, answers.size() - 1));
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
