// SPDX-License-Identifier: GPL-2.0-only
/*
 * An I2C bus whose far end is a program: /dev/i2c-<bus> for the table, /dev/dudo-i2c for the test.
 *
 * The parameter `answers` says which addresses have a panel ("0x3c,0x3d"; "0" is none); a transfer to another fails as
 * on a Raspberry Pi, with EREMOTEIO. Every write that was acknowledged can be read from /dev/dudo-i2c, as a record of
 *
 *     u8 address, u8 zero, u16 length (little-endian), the bytes
 *
 * A transfer takes its time on the wire, nine clocks a byte. What is read from a panel is its status: bit 6 says that
 * it is off. A panel is off from when it starts to answer until it is switched on.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/i2c.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#define ADDRESSES 128
#define KEPT_BYTES (8 << 20) /* of what nobody has read yet */
#define HEAD_BYTES 4

struct record {
	struct list_head list;
	size_t read;
	size_t size;
	u8 bytes[];
};

static DEFINE_MUTEX(lock);
static LIST_HEAD(records);
static DECLARE_WAIT_QUEUE_HEAD(arrived);
static size_t kept;
static bool answers[ADDRESSES];
static bool is_on[ADDRESSES];

static int bus = 1;
module_param(bus, int, 0444);
static uint clock_hz = 400000;
module_param(clock_hz, uint, 0444);

static int set_answers(const char *text, const struct kernel_param *parameter)
{
	int there[9], at;

	get_options(text, ARRAY_SIZE(there), there);
	mutex_lock(&lock);
	memset(answers, 0, sizeof(answers));
	for (at = 1; at <= there[0]; at++)
		if (there[at] > 0 && there[at] < ADDRESSES)
			answers[there[at]] = true;
	for (at = 0; at < ADDRESSES; at++)
		is_on[at] = is_on[at] && answers[at];
	mutex_unlock(&lock);
	return 0;
}

static int get_answers(char *text, const struct kernel_param *parameter)
{
	int at, length = 0;

	for (at = 0; at < ADDRESSES; at++)
		if (answers[at])
			length += sprintf(text + length, length ? ",0x%02x" : "0x%02x", at);
	return length + sprintf(text + length, "\n");
}

static const struct kernel_param_ops answers_ops = { .set = set_answers, .get = get_answers };
module_param_cb(answers, &answers_ops, NULL, 0644);

/* How many bytes follow a command of an SSD1306, SSD1309 or SH1106. */
static int arguments_of(u8 command)
{
	switch (command) {
	case 0x21: case 0x22:
		return 2;
	case 0x20: case 0x81: case 0x8d: case 0xa8: case 0xad: case 0xd3: case 0xd5: case 0xd9: case 0xda: case 0xdb: case 0xfd:
		return 1;
	default:
		return 0;
	}
}

/* Notes whether the panel is on, as 0xAE and 0xAF say. */
static void note_switch(u8 address, const u8 *data, size_t size)
{
	size_t at = 0, end;
	int awaited = 0;

	while (at < size) {
		u8 control = data[at++];

		end = control & 0x80 ? min(at + 1, size) : size;
		for (; at < end; at++) {
			if (control & 0x40)
				continue;
			if (awaited)
				awaited--;
			else if ((data[at] & 0xfe) == 0xae)
				is_on[address] = data[at] & 1;
			else
				awaited = arguments_of(data[at]);
		}
	}
}

static int keep(const struct i2c_msg *message)
{
	size_t size = HEAD_BYTES + message->len;
	struct record *record = kmalloc(struct_size(record, bytes, size), GFP_KERNEL);

	if (!record)
		return -ENOMEM;
	record->read = 0;
	record->size = size;
	record->bytes[0] = message->addr;
	record->bytes[1] = 0;
	record->bytes[2] = message->len & 0xff;
	record->bytes[3] = message->len >> 8;
	memcpy(record->bytes + HEAD_BYTES, message->buf, message->len);
	if (kept + size > KEPT_BYTES) {
		pr_warn_once("dudo_i2c: nobody reads what is written\n");
		kfree(record);
		return 0;
	}
	kept += size;
	list_add_tail(&record->list, &records);
	wake_up_interruptible(&arrived);
	return 0;
}

static int carry(const struct i2c_msg *message)
{
	if (message->addr >= ADDRESSES || !answers[message->addr])
		return -EREMOTEIO;
	if (message->flags & I2C_M_RD) {
		memset(message->buf, is_on[message->addr] ? 0x00 : 0x40, message->len);
		return 0;
	}
	note_switch(message->addr, message->buf, message->len);
	return keep(message);
}

static int transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count)
{
	int at, error;

	for (at = 0; at < count; at++) {
		unsigned long wire_us = (9UL * (messages[at].len + 1) + 2) * 1000 / (clock_hz / 1000 ?: 1);

		usleep_range(wire_us, wire_us + 50);
		mutex_lock(&lock);
		error = carry(&messages[at]);
		mutex_unlock(&lock);
		if (error)
			return error;
	}
	return count;
}

static u32 functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = { .xfer = transfer, .functionality = functionality };
static struct i2c_adapter adapter = { .owner = THIS_MODULE, .algo = &algorithm, .name = "dudo-table test bus" };

static ssize_t read_records(struct file *file, char __user *to, size_t room, loff_t *offset)
{
	size_t given = 0;
	int error = 0;

	if (list_empty(&records) && file->f_flags & O_NONBLOCK)
		return -EAGAIN;
	if (wait_event_interruptible(arrived, !list_empty(&records)))
		return -ERESTARTSYS;
	mutex_lock(&lock);
	while (given < room && !list_empty(&records)) {
		struct record *record = list_first_entry(&records, struct record, list);
		size_t size = min(room - given, record->size - record->read);

		if (copy_to_user(to + given, record->bytes + record->read, size)) {
			error = -EFAULT;
			break;
		}
		given += size;
		record->read += size;
		if (record->read == record->size) {
			kept -= record->size;
			list_del(&record->list);
			kfree(record);
		}
	}
	mutex_unlock(&lock);
	return error ?: given;
}

static __poll_t poll_records(struct file *file, poll_table *table)
{
	poll_wait(file, &arrived, table);
	return list_empty(&records) ? 0 : EPOLLIN | EPOLLRDNORM;
}

static const struct file_operations far_end_operations = {
	.owner = THIS_MODULE,
	.read = read_records,
	.poll = poll_records,
};
static struct miscdevice far_end = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "dudo-i2c",
	.fops = &far_end_operations,
};

static int __init start(void)
{
	int error = misc_register(&far_end);

	if (error)
		return error;
	adapter.nr = bus;
	error = i2c_add_numbered_adapter(&adapter);
	if (error)
		misc_deregister(&far_end);
	return error;
}

static void __exit stop(void)
{
	struct record *record, *next;

	i2c_del_adapter(&adapter);
	misc_deregister(&far_end);
	list_for_each_entry_safe(record, next, &records, list)
		kfree(record);
}

module_init(start);
module_exit(stop);
MODULE_DESCRIPTION("An I2C bus with a program at its far end");
MODULE_LICENSE("GPL");
